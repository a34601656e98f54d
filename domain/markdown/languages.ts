/** A language of code. */
export interface Language {
  /** Its name for readers of the HTML. */
  readonly displayName: string
  /** Module of highlight.js; undefined for a language without colours. */
  readonly grammar: string | undefined
  /** Grammars of languages that may be embedded in it. */
  readonly embeds: readonly string[]
}

const NO_GRAMMAR = ''

/** Display name → grammar, and the lower-case names after a fence that stand for the language. */
const LANGUAGES: Readonly<Record<string, readonly [grammar: string, names: string]>> = {
  ABNF: ['abnf', 'abnf'],
  ActionScript: ['actionscript', 'actionscript as'],
  Ada: ['ada', 'ada ada95 ada2005'],
  ApacheConf: ['apache', 'apacheconf apache aconf'],
  AppleScript: ['applescript', 'applescript'],
  Arduino: ['arduino', 'arduino'],
  AutoHotkey: ['autohotkey', 'autohotkey ahk'],
  Awk: ['awk', 'awk gawk mawk nawk'],
  Bash: ['bash', 'bash sh shell zsh ksh openrc ebuild eclass'],
  'Bash Session': ['shell', 'console shell-session'],
  Batchfile: ['dos', 'batch bat dosbatch winbatch cmd'],
  BNF: ['bnf', 'bnf'],
  Brainfuck: ['brainfuck', 'brainfuck bf'],
  C: ['c', 'c h'],
  'C#': ['csharp', 'csharp c# cs'],
  'C++': ['cpp', 'cpp c++ hpp cc cxx'],
  Clojure: ['clojure', 'clojure clj'],
  CMake: ['cmake', 'cmake'],
  CoffeeScript: ['coffeescript', 'coffeescript coffee-script coffee'],
  'Common Lisp': ['lisp', 'common-lisp lisp cl'],
  Coq: ['coq', 'coq'],
  Crystal: ['crystal', 'crystal cr'],
  CSS: ['css', 'css'],
  D: ['d', 'd'],
  Dart: ['dart', 'dart'],
  Delphi: ['delphi', 'delphi pascal pas objectpascal'],
  Diff: ['diff', 'diff udiff patch'],
  'Django/Jinja': ['django', 'django jinja jinja2'],
  Docker: ['dockerfile', 'docker dockerfile'],
  EBNF: ['ebnf', 'ebnf'],
  Elixir: ['elixir', 'elixir ex exs'],
  Elm: ['elm', 'elm'],
  'Emacs Lisp': ['lisp', 'emacs-lisp elisp emacs'],
  ERB: ['erb', 'erb'],
  Erlang: ['erlang', 'erlang erl'],
  'F#': ['fsharp', 'fsharp f#'],
  Fortran: ['fortran', 'fortran f90 f95'],
  Gherkin: ['gherkin', 'gherkin cucumber'],
  GLSL: ['glsl', 'glsl'],
  Go: ['go', 'go golang'],
  GraphQL: ['graphql', 'graphql gql'],
  Groovy: ['groovy', 'groovy gradle'],
  Handlebars: ['handlebars', 'handlebars hbs'],
  Haskell: ['haskell', 'haskell hs'],
  Haxe: ['haxe', 'haxe hx'],
  HTML: ['xml', 'html htm xhtml'],
  HTTP: ['http', 'http'],
  INI: ['ini', 'ini cfg dosini conf'],
  Java: ['java', 'java'],
  JavaScript: ['javascript', 'javascript js jsx mjs cjs node'],
  JSON: ['json', 'json json5 jsonc json-object'],
  Julia: ['julia', 'julia jl'],
  Kotlin: ['kotlin', 'kotlin kt kts'],
  Lean: [NO_GRAMMAR, 'lean lean4 lean3'],
  LessCss: ['less', 'less'],
  LLVM: ['llvm', 'llvm'],
  Lua: ['lua', 'lua'],
  Makefile: ['makefile', 'make makefile mf bsdmake'],
  Markdown: ['markdown', 'markdown md'],
  Mathematica: ['mathematica', 'mathematica mma nb'],
  Matlab: ['matlab', 'matlab octave'],
  NASM: ['x86asm', 'nasm asm'],
  'Nginx configuration file': ['nginx', 'nginx'],
  Nim: ['nim', 'nim nimrod'],
  Nix: ['nix', 'nix nixos'],
  'Objective-C': ['objectivec', 'objective-c objectivec obj-c objc'],
  OCaml: ['ocaml', 'ocaml ml'],
  Perl: ['perl', 'perl pl'],
  PHP: ['php', 'php php3 php4 php5'],
  'PostgreSQL SQL dialect': ['pgsql', 'postgresql postgres pgsql'],
  PowerShell: ['powershell', 'powershell pwsh posh ps1 psm1'],
  Prolog: ['prolog', 'prolog'],
  Properties: ['properties', 'properties jproperties'],
  'Protocol Buffer': ['protobuf', 'protobuf proto'],
  Puppet: ['puppet', 'puppet'],
  Python: ['python', 'python python3 py py3 sage bazel starlark pyi'],
  'Python console session': ['python-repl', 'pycon python-console'],
  QML: ['qml', 'qml qbs'],
  R: ['r', 'r splus s'],
  ReasonML: ['reasonml', 'reasonml reason'],
  reStructuredText: [NO_GRAMMAR, 'restructuredtext rst rest'],
  Ruby: ['ruby', 'ruby rb duby'],
  Rust: ['rust', 'rust rs'],
  SAS: ['sas', 'sas'],
  Scala: ['scala', 'scala'],
  Scheme: ['scheme', 'scheme scm racket rkt'],
  SCSS: ['scss', 'scss sass'],
  Smalltalk: ['smalltalk', 'smalltalk squeak st'],
  SQL: ['sql', 'sql mysql sqlite3 plpgsql'],
  'Standard ML': ['sml', 'sml'],
  Stata: ['stata', 'stata do'],
  Swift: ['swift', 'swift'],
  systemverilog: ['verilog', 'systemverilog sv'],
  Tcl: ['tcl', 'tcl'],
  TeX: ['latex', 'tex latex'],
  'Text only': [NO_GRAMMAR, 'text'],
  Thrift: ['thrift', 'thrift'],
  TOML: ['ini', 'toml'],
  Twig: ['twig', 'twig'],
  TypeScript: ['typescript', 'typescript ts tsx mts cts'],
  Vala: ['vala', 'vala vapi'],
  'VB.net': ['vbnet', 'vb.net vbnet vb'],
  VBScript: ['vbscript', 'vbscript'],
  verilog: ['verilog', 'verilog v'],
  vhdl: ['vhdl', 'vhdl'],
  VimL: ['vim', 'vim viml'],
  WebAssembly: ['wasm', 'wast wat wasm'],
  XML: ['xml', 'xml xsl rss xslt xsd wsdl svg'],
  XQuery: ['xquery', 'xquery xqy xq'],
  YAML: ['yaml', 'yaml yml'],
  Zig: [NO_GRAMMAR, 'zig'],
}

/** Grammars that leave parts of the code to other grammars. */
const EMBEDDED: Readonly<Record<string, readonly string[]>> = {
  django: ['xml'],
  dockerfile: ['bash'],
  erb: ['xml', 'ruby'],
  handlebars: ['xml'],
  javascript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  php: ['xml'],
  'python-repl': ['python'],
  shell: ['bash'],
  twig: ['xml'],
  typescript: ['xml', 'css', 'graphql'],
  xml: ['javascript', 'css'],
}

let byName: ReadonlyMap<string, Language> | undefined

/** Returns the language that `name` means after a fence, regardless of case; undefined if unknown. */
export function languageNamed(name: string): Language | undefined {
  byName ??= new Map(
    Object.entries(LANGUAGES).flatMap(([displayName, [grammar, names]]) => {
      const language = { displayName, grammar: grammar || undefined, embeds: EMBEDDED[grammar] ?? [] }
      return names.split(' ').map((written) => [written, language] as const)
    }),
  )
  return byName.get(name.toLowerCase())
}
