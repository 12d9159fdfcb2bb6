/** The finaliser of MurmurHash3 on 32 bits: every bit of the input sways every bit of the result. */
export function mix32(bits: number): number {
  let mix = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35)
  return mix ^ (mix >>> 16)
}
