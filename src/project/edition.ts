/** Which Troupe this is, down to the last line of its code: what another one has made may be made otherwise by this one. */

/** Put in by the build; the sources themselves have none, because they can change at any time. */
declare const TROUPE_EDITION: string | undefined

export const edition: string | null = typeof TROUPE_EDITION === 'undefined' ? null : TROUPE_EDITION
