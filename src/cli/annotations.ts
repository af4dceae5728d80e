/** Annotations for GitHub, which knows files by their path in the repository, wherever the command was run. */
import { relative, resolve } from 'node:path'
import type { Diagnostic } from '../model/diagnostics.ts'
import { githubAnnotations } from '../report/github.ts'
import { printLines, type Terminal } from './command.ts'

/** `here`: what the paths are relative to. */
export function printAnnotations(terminal: Terminal, diagnostics: readonly Diagnostic[], here: string): void {
  const workspace = process.env.GITHUB_WORKSPACE
  const pathOf = (path: string) => {
    const inside = workspace === undefined ? '..' : relative(workspace, resolve(here, path))
    return inside.startsWith('..') ? path : inside
  }
  printLines(terminal, githubAnnotations(diagnostics.map((one) => ({ ...one, path: pathOf(one.path) }))))
}
