// base64 to bytes. Pages may carry 50 MB: where the browser decodes by itself it is asked to.

interface NativeDecoder {
  fromBase64?: (text: string) => Uint8Array;
}

export function bytesOf(text: string): Uint8Array {
  const native = (Uint8Array as unknown as NativeDecoder).fromBase64;
  if (native) return native(text);
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** A view at the decoded bytes; they begin at the start of their buffer, so that every alignment is right. */
export function float32Of(text: string): Float32Array {
  const bytes = bytesOf(text);
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
}

export function float64Of(text: string): Float64Array {
  const bytes = bytesOf(text);
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 3);
}
