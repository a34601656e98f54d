/** As whoever reads a sentence of ours can type them: packages hold JavaScript, a checkout holds none. */
const isPackage = import.meta.filename.endsWith('.js')

export const SERVER_COMMAND = isPackage ? 'npx --no parley-server' : 'npm start --'
export const ADMIN_COMMAND = isPackage ? 'npx --no parley-server admin' : 'npm run admin --'
