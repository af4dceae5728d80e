/** What people mean by the name of a tool, when they ask about an agent: a neutral name, or one of its harness. */
import { neutralTools } from '../model/tools.ts'
import type { Harness } from './schema/harness.ts'
import { namedTool, ownUnit } from './units.ts'

/** The neutral tool; null where nobody knows the name. */
export function calledTool(harness: Harness, all: readonly Harness[], name: string): string | null {
  if (/^(mcp|native):/.test(name)) return name
  const own = ownUnit(harness, name)?.grants
  // A harness can use a neutral name for something else, and then means that.
  if ((neutralTools as readonly string[]).includes(name) && (own === undefined || own.includes(name))) return name
  const offered = harness.oracle?.wire.tools[name]?.grants
  const { known, grants } = namedTool(harness, all, name)
  return (own ?? offered ?? (known === 'unknown' ? [] : grants))[0] ?? null
}
