/** The public library: read, understand and check agents from your own programs. */

export { type ReadInput, type ReadResult, readAgents } from './harness/read.ts'
export { createRegistry, type Registry } from './harness/registry.ts'
export type { Harness } from './harness/schema/harness.ts'
export { type Access, type Action, type Call, decide, type Layer, type Rule, type Verdict } from './model/access.ts'
export type { Agent, Concept } from './model/agent.ts'
export { type AccessSummary, summarizeAccess } from './model/capabilities.ts'
export { catalogue, type Diagnostic, type DiagnosticCode } from './model/diagnostics.ts'
export { type CheckResult, checkInventory } from './project/check.ts'
export { type FoundAgent, type Inventory, type InventoryOptions, takeInventory } from './project/inventory.ts'
