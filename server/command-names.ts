/** Command names as users type them: packages contain JavaScript, a checkout TypeScript. */
const isPackage = import.meta.filename.endsWith('.js')

export const SERVER_COMMAND = isPackage ? 'npx --no -- parley-server' : 'npm start --'
export const ADMIN_COMMAND = isPackage ? 'npx --no -- parley-server admin' : 'npm run admin --'
