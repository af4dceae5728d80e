/** What an agent refers to outside its own file, and whether that has been asked for: then its file alone does not decide. */
import type { FindSkill } from '../../convert/skills.ts'
import type { Surroundings } from '../../harness/prompt.ts'
import type { Harness } from '../../harness/schema/harness.ts'
import type { Candidate } from '../discover.ts'
import { referencesOf } from './references.ts'
import { skillFinder } from './skills.ts'
import type { Work } from './work.ts'

export interface Outside {
  readonly surroundings: Surroundings
  readonly findSkill: (target: Harness) => FindSkill
  readonly isUsed: () => boolean
}

export function watchOutside(
  candidate: Candidate,
  { project, show, request }: Pick<Work, 'project' | 'show' | 'request'>,
): Outside {
  const references = referencesOf(candidate.path, project, request.onRead)
  let isUsed = false
  return {
    surroundings: {
      environment: references.environment,
      readBeside: (reference) => {
        isUsed = true
        return references.readBeside(reference)
      },
    },
    findSkill: (target) => {
      const find = skillFinder(candidate, target, project, show, request.onRead)
      return (name) => {
        isUsed = true
        return find(name)
      }
    },
    isUsed: () => isUsed,
  }
}
