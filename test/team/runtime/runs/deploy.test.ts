/** deploy/ in the prompt: names, and the texts among them; nothing that looks like a secret. */
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place } from '../../new-workplace.ts'

let place: Place
afterEach(() => place.close())

test('what a prompt is told about deployment', () => {
  place = openPlace({ ada: 'cat' })
  const put = (name: string, text: string) => place.put(`.workplace/deploy/${name}`, text)
  put('main.md', '# Main\nPush to the branch release.\n')
  put('compose.yaml', 'services: {}\n')
  put('long.txt', 'x'.repeat(50_000))
  for (const name of ['.env', 'prod.env', 'id_rsa', 'server.pem', 'api-key.md', 'secrets.txt', 'token.txt'])
    put(name, 'hunter2\n')
  put('notes.md', 'Use this:\nAPI_TOKEN=hunter2\n')
  symlinkSync('/etc/hostname', join(place.deploy, 'link.md'))
  const { stdout } = place.troupe('start', 'ada', 'work')
  expect(stdout).toContain('Deploy config:\n- compose.yaml\n- long.txt\n- main.md\n- notes.md\n')
  expect(stdout).toContain('main.md:\n# Main\nPush to the branch release.\n')
  expect(stdout).not.toContain('services: {}')
  expect(stdout).not.toContain('hunter2')
  expect(stdout).not.toContain('link.md')
  expect(stdout.length).toBeLessThan(12_000)
})

test('nothing is said where there is nothing', () => {
  place = openPlace({ ada: 'cat' })
  expect(place.troupe('start', 'ada', 'work').stdout).not.toContain('Deploy')
})
