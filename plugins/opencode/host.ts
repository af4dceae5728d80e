/** What OpenCode passes to a plugin and takes from it, as far as the HUD needs it. Seen with the version in its harness file. */

export interface PluginInput {
  /** Where OpenCode works. */
  readonly directory: string
}

export interface Hooks {
  /** Not awaited. */
  readonly event: (input: { readonly event: HostEvent }) => Promise<void>
  readonly 'chat.message': (
    input: { readonly sessionID: string; readonly agent?: string },
    output: { readonly message?: { readonly agent?: string } },
  ) => Promise<void>
  /** Before every request; a failure would end the prompt. Only changes in place take effect. */
  readonly 'experimental.chat.system.transform': (
    input: { readonly sessionID?: string; readonly model: HostModel },
    output: { readonly system: string[] },
  ) => Promise<void>
  readonly 'experimental.session.compacting': (
    input: { readonly sessionID: string },
    output: { readonly context: string[] },
  ) => Promise<void>
  readonly tool: Readonly<Record<string, HostTool>>
}

export interface HostModel {
  readonly id?: string
  readonly providerID?: string
  readonly limit?: { readonly context?: number }
}

export interface HostTool {
  readonly description: string
  /** JSON Schema by argument; all of them are required. */
  readonly args: Readonly<Record<string, object>>
  readonly execute: (
    args: Readonly<Record<string, unknown>>,
    context: { readonly sessionID: string; readonly agent?: string },
  ) => Promise<string>
}

/** The events that are used. */
export interface HostEvent {
  readonly type: string
  readonly properties?: {
    readonly sessionID?: string
    readonly info?: HostInfo
    readonly todos?: readonly { readonly content?: string; readonly status?: string }[]
  }
}

/** A message or a session. */
export interface HostInfo {
  readonly id?: string
  readonly sessionID?: string
  readonly role?: string
  readonly agent?: string
  readonly summary?: unknown
  readonly cost?: number
  readonly modelID?: string
  readonly providerID?: string
  readonly tokens?: {
    readonly input?: number
    readonly output?: number
    readonly cache?: { readonly read?: number; readonly write?: number }
  }
  readonly time?: { readonly created?: number }
}
