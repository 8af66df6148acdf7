// npm run executable -- FILE: builds an executable for the current system. It is a copy of the running Node with the engine embedded (a
// single executable application), so users do not need to install Node.

import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { program } from './bundle.mjs';
import { KERNEL_PACKAGES, notices } from './notices.mjs';
import { runScript } from './script.mjs';

/** The name of the fuse, from Node's documentation. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

/** Returns the engine as the blob that Node loads from its executable. */
async function preparedBlob() {
  const folder = mkdtempSync(join(tmpdir(), 'heft-sea-'));
  const at = (name) => join(folder, name);
  try {
    writeFileSync(at('main.cjs'), await program());
    const config = { main: at('main.cjs'), output: at('heft.blob'), disableExperimentalSEAWarning: true };
    writeFileSync(at('sea.json'), JSON.stringify(config));
    execFileSync(process.execPath, ['--experimental-sea-config', at('sea.json')], { stdio: 'pipe' });
    return readFileSync(at('heft.blob'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function makeExecutable(file) {
  const licences = `${file}-licences.txt`;
  for (const output of [file, licences])
    if (existsSync(output)) throw new Error(`${output} exists: remove it, or choose another name`);
  const blob = await preparedBlob();
  const { inject } = await import('postject');
  const isMac = process.platform === 'darwin';
  const codesign = (...args) => isMac && execFileSync('codesign', [...args, file]);
  try {
    copyFileSync(process.execPath, file);
    chmodSync(file, 0o755);
    codesign('--remove-signature');
    await inject(file, 'NODE_SEA_BLOB', blob, { sentinelFuse: FUSE, ...(isMac && { machoSegmentName: 'NODE_SEA' }) });
    codesign('--sign', '-');
  } catch (error) {
    // A partial file would look like a finished one
    rmSync(file, { force: true });
    throw error;
  }
  writeFileSync(licences, notices(KERNEL_PACKAGES, { withNode: true }));
  process.stdout.write(`${file} is a UCI engine that needs no other file; distribute ${licences} with it\n`);
}

const USAGE = `npm run executable -- FILE

Builds one executable from the engine and this Node, for the current system.`;

await runScript('executable', USAGE, async (file, ...more) => {
  if (file === undefined || more.length > 0) throw new Error('expected one file name');
  await makeExecutable(process.platform === 'win32' && !file.endsWith('.exe') ? `${file}.exe` : file);
});
