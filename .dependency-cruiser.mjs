// For `npm run check` and for editors. The rules and their reasons are in one table: scripts/check/import-table.ts.
import { forbiddenImports } from './scripts/check/import-table.ts'

export default {
  forbidden: forbiddenImports,
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data)/' },
    tsPreCompilationDeps: true, // type-only imports count
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs', '.cjs', '.json'], exportsFields: ['exports'] },
  },
}
