// Loaded before the measured program: writes its CPU time (user plus system, in ms) to descriptor 3 when it ends.
'use strict'
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const peak = process.resourceUsage().maxRSS
  require('node:fs').writeSync(3, JSON.stringify({ cpu: (user + system) / 1000, peak: peak / 1024 }))
})
