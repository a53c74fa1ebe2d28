// Tries to open databases by classic-level: a line "refused DIR: why" or "opened DIR: N entries" for
// each.
import { ClassicLevel } from 'classic-level'

for (const dir of process.argv.slice(2)) {
  const db = new ClassicLevel(dir, { createIfMissing: false })
  try {
    await db.open()
  } catch (error) {
    console.log(`refused ${dir}: ${error.cause ? error.cause.message : error.message}`)
    continue
  }
  const keys = await db.keys().all()
  console.log(`opened ${dir}: ${keys.length} entries`)
  await db.close()
}
