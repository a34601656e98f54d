import { BadRequestError } from './errors.ts'

/** Values that do not fit together, each with its error; `__all__` has errors about several. */
export class InvalidFieldsError extends BadRequestError {
  override readonly data: { readonly errors: Readonly<Record<string, readonly string[]>> }
  constructor(errors: Readonly<Record<string, readonly string[]>>) {
    super(Object.values(errors)[0]?.[0])
    this.data = { errors }
  }
}
