// The version of nsmc, which its packed extension has: that of CMakeLists.txt. package.json must have one, too, and has none of its own.
import { readFileSync } from "node:fs";

const project = readFileSync(new URL("../../CMakeLists.txt", import.meta.url), "utf8");
console.log(/project\(nsmc VERSION ([0-9.]+)/.exec(project)[1]);
