/** What a person can do about a gap: steps by its class and by what was done about it. */
import type { GapResolution, GapType, Severity } from '../model/conversion.ts'
import type { GapGroup } from './gap-groups.ts'
import { quote } from './prose.ts'

export const severityMeanings: Readonly<Record<Severity, string>> = {
  high: 'The agent loses a guard, or a part it cannot work without',
  medium: 'The agent loses a tool, a skill or a way of working',
  low: 'A label or a preference is lost; the agent works as before',
}

export const resolutionMeanings: Readonly<Record<GapResolution, string>> = {
  workaround: 'Something else does the same, or nearly',
  todo: 'A comment in the converted agent says what is missing',
  omit: 'Left out of the converted agent',
  revive: 'Granted, although the old harness ignored it',
  widen: 'Kept whole, without the limits that the definition sets',
}

/** Sentences that quote, in the order they are to be followed. */
export function manualSteps(
  { type, feature }: Pick<GapGroup, 'type' | 'feature'>,
  resolutions: readonly GapResolution[],
): string[] {
  // In the prompt it stands without the word for its kind.
  const name = quote(feature.replace(/^[a-z]+: /, ''))
  return [
    ...(resolutions.includes('todo')
      ? [`Find the comment in the converted agents: search for \`TODO\` and ${name}.`]
      : []),
    ...steps[type](name),
    ...(resolutions.includes('todo') ? ['Remove the comment when the agent works without it.'] : []),
  ]
}

const steps: Readonly<Record<GapType, (name: string) => string[]>> = {
  'field-unsupported': (name) => [
    `Decide whether the agent needs ${name}; if it does, say in the prompt what the field said, or set it in the target's own settings.`,
  ],
  'tool-missing': (name) => [
    `Reword what the prompt says about ${name}, so that the agent can do it with the tools it has, or give it a server (MCP) that offers such a tool.`,
  ],
  'skill-unassignable': (name) => [
    `Copy the skill ${name} to where the target looks for skills, or write its text into the prompt.`,
  ],
  'composition-unavailable': (name) => [
    `Copy the file behind ${name} into the project, or write its text into the prompt, and correct the reference.`,
  ],
  'agent-type-mismatch': (name) => [
    `Name another agent in place of ${name}, or convert the one that is meant as well.`,
  ],
  'model-unconfigurable': (name) => [`Set the model that ${name} asks for in the target's own configuration.`],
  'grant-ignored': (name) => [
    `Decide whether the agent needs ${name}: correct the name in its tool list, or convert again with \`--revive\`.`,
  ],
  'sandbox-missing': () => [
    'Decide whether the agent may use a shell that reaches beyond the project; to take it away, answer `omit` in an answers file.',
  ],
  'limit-missing': (name) => [
    `Decide whether the agent may have all of ${name}: \`--allow-widening\`, \`accept\` in troupe.yaml or \`widen\` in an answers file keeps it, without its limits.`,
  ],
}
