/** What `work check` says about definitions of the workplace's own agents. */
import { afterEach, expect, test } from 'vitest'
import { openPlace, type Place } from '../new-workplace.ts'

let place: Place
afterEach(() => place.close())

test('a role is required, and names have one form', () => {
  place = openPlace({ ada: 'cat', Ben_2: 'cat', cleo: 'cat' })
  place.put('.workplace/agents/cleo.md', '---\nname: cleo\nhandoff: required\n---\nYou work.\n')
  const { code, stdout } = place.troupe('check', '--json')
  const problems = JSON.parse(stdout).problems.map((one: { code: string; member: string }) => [one.code, one.member])
  expect(code).toBe(1)
  expect(problems).toContainEqual(['no-role', 'cleo'])
  expect(problems).toContainEqual(['unusual-name', 'Ben_2'])
  expect(problems).toContainEqual(['owes-nobody', 'cleo'])
  const text = place.troupe('check').stdout.replace(/\s+/g, ' ')
  expect(text).toContain('.workplace/agents/cleo.md has no role for cleo; it is required.')
  expect(text).toContain('should have only lowercase letters, digits and single hyphens.')
})
