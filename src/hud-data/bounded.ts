/** Work that must neither take long nor fail: what is not there in time is unknown. */

export async function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
    timer.unref()
  })
  try {
    return await Promise.race([work(), late])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

export interface Kept<T> {
  /** What was known last. */
  readonly peek: () => T | undefined
  /** Looks again, unless somebody has within the last so many milliseconds; never fails. */
  readonly renew: (maxAge: number) => Promise<void>
}

/** Somebody else may wait for the same answer: it is asked for once. */
export function keep<T>(limit: number, read: () => Promise<T | undefined>): Kept<T> {
  let value: T | undefined
  let asked = Number.NEGATIVE_INFINITY
  let going: Promise<void> | null = null
  return {
    peek: () => value,
    renew: (maxAge) => {
      if (going !== null) return going
      if (performance.now() - asked < maxAge) return Promise.resolve()
      asked = performance.now()
      going = within(limit, read).then((answer) => {
        value = answer
        going = null
      })
      return going
    },
  }
}
