/** Generates docs/images/check.svg from the real output of `troupe check` on the examples, colours included. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'

const COLUMNS = 84
const LINE = 19
const WIDTH = 8.43
const colors: Readonly<Record<string, string>> = { '31': '#ff7b72', '32': '#7ee787', '33': '#e3b341', '36': '#79c0ff' }

const { stdout } = spawnSync(process.execPath, ['dist/cli.cjs', '-C', 'examples', 'check'], {
  encoding: 'utf8',
  env: { PATH: process.env.PATH, HOME: '/nowhere', FORCE_COLOR: '1' },
})
const lines = ['\u001b[1m$ troupe check\u001b[22m', '', ...stdout.trimEnd().split('\n')]
const height = lines.length * LINE + 36
mkdirSync('docs/images', { recursive: true })
writeFileSync(
  'docs/images/check.svg',
  [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${Math.ceil(100 * WIDTH + 40)} ${height}" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    `<rect width="100%" height="100%" rx="8" fill="#0d1117"/>`,
    ...lines.map(
      (line, index) =>
        `<text x="20" y="${30 + index * LINE}" fill="#e6edf3" xml:space="preserve">${spans(line)}</text>`,
    ),
    '</svg>',
    '',
  ].join('\n'),
)
console.log(
  `docs/images/check.svg: ${lines.length} lines, at most ${Math.max(COLUMNS, ...lines.map((line) => line.length))} wide`,
)

/** ANSI colours as tspans. */
function spans(line: string): string {
  let open = false
  const text = escapeXml(line).replace(/\u001b\[(\d+)m/g, (_all, code: string) => {
    const close = open ? '</tspan>' : ''
    const style =
      code === '1'
        ? 'font-weight="bold"'
        : code === '2'
          ? 'fill="#8b949e"'
          : colors[code]
            ? `fill="${colors[code]}"`
            : null
    open = style !== null
    return style === null ? close : `${close}<tspan ${style}>`
  })
  return open ? `${text}</tspan>` : text
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
