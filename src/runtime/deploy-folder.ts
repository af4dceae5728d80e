/** deploy/: how the project is put into the world, as far as a prompt should know it; never a secret. */
import { type Dirent, readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import { readRegularText } from '../project/regular-file.ts'
import type { Places } from './places.ts'

/** Files that are named, characters of one text and of all, and bytes of a file that is looked into. */
const FILES = 40
const LONG = 2000
const MOST = 6000
const LARGE = 256 * 1024

/** Files of such names hold keys, tokens or passwords, or may. */
const secretNames =
  /(^|[._-])(env|secrets?|credentials?|passwords?|passwd|tokens?|keys?|rsa|dsa|ecdsa|ed25519|kubeconfig)([._-]|$)|\.(pem|p12|pfx|jks|keystore|crt|cer|der|asc|gpg|kdbx|tfstate|tfvars)$/i
const secretTexts =
  /-----BEGIN [A-Z ]*(PRIVATE KEY|MESSAGE)|^\s*(export )?\w*(PASSWORD|SECRET|TOKEN|API_?KEY)\w*\s*[=:]\s*\S|\b(AKIA[0-9A-Z]{16}|gh[pousr]_\w{20,}|sk-[\w-]{20,}|xox[abp]-\w{10,})/im

/** Null where there is nothing to tell. */
export function deployText({ deploy }: Pick<Places, 'deploy'>): string | null {
  const files = filesIn(deploy)
  if (files.length === 0) return null
  const lines = files.slice(0, FILES).map((name) => `- ${name}`)
  if (files.length > FILES) lines.push(`- and ${files.length - FILES} more`)
  let room = MOST
  for (const name of files.slice(0, FILES)) {
    const text = ['.md', '.txt'].includes(extname(name).toLowerCase()) ? textOf(join(deploy, name)) : ''
    if (text === '' || room <= 0) continue
    const most = Math.min(LONG, room)
    lines.push('', `${name}:`, text.length > most ? `${text.slice(0, most).trimEnd()} \u2026` : text)
    room -= Math.min(text.length, most)
  }
  return lines.join('\n')
}

/** Links are not followed. */
function filesIn(folder: string): string[] {
  let entries: Dirent[]
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && !secretNames.test(entry.name))
    .map(({ name }) => name)
    .sort()
}

function textOf(path: string): string {
  try {
    const text = readRegularText(path, { most: LARGE }).trim()
    return secretTexts.test(text) ? '' : text
  } catch {
    return ''
  }
}
