/** Answers to questions that are asked again and again, as many as fit. */

/** `find` must give the same answer to the same question; `most` answers are kept, and then all are forgotten. */
export function remembering<T>(find: (question: string) => T, most = 5000): (question: string) => T {
  const known = new Map<string, T>()
  let last: { readonly question: string; readonly answer: T } | null = null
  return (question) => {
    if (last?.question === question) return last.answer
    let answer = known.get(question)
    if (answer === undefined) {
      answer = find(question)
      // A long question is not worth the room.
      if (question.length < LONG) {
        if (known.size >= most) known.clear()
        known.set(question, answer)
      }
    }
    last = { question, answer }
    return answer
  }
}

const LONG = 2000
