// Writes src/engine/messages.ts from the JSON Schemas that the Rust types print. `--check` compares instead.
import { readFileSync, writeFileSync, readdirSync } from 'node:fs';

const schemas = new URL('../../docs/schema/', import.meta.url);
const target = new URL('../src/engine/messages.ts', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(name, schemas), 'utf8'));

const defs = new Map();

function type(schema, optional = false) {
  const bare = plain(schema);
  return optional && !/\bnull\b/.test(bare) && schema.default === null ? `${bare} | null` : bare;
}

function plain(schema) {
  if (schema === true) return 'unknown';
  if (schema.$ref) return schema.$ref.split('/').pop();
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const some = schema.oneOf ?? schema.anyOf;
  if (some) {
    const found = [...new Set(some.map((each) => type(each)))];
    return found.join(' | ');
  }
  if (Array.isArray(schema.type)) return schema.type.map((each) => type({ ...schema, type: each })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      if (schema.prefixItems) return `[${schema.prefixItems.map((each) => type(each)).join(', ')}]`;
      return `${wrap(type(schema.items ?? true))}[]`;
    case 'object':
      return object(schema);
    default:
      return 'unknown';
  }
}

const wrap = (text) => (/[|&]/.test(text) ? `(${text})` : text);

function object(schema, skip = []) {
  const fields = Object.entries(schema.properties ?? {}).filter(([name]) => !skip.includes(name));
  if (fields.length === 0) {
    const rest = schema.additionalProperties;
    return rest && rest !== true ? `Record<string, ${type(rest)}>` : 'object';
  }
  const lines = fields.map(([name, field]) => {
    const needed = schema.required?.includes(name);
    const comment = field.description ? `/** ${field.description.replaceAll('\n', ' ')} */ ` : '';
    return `  ${comment}${/^\w+$/.test(name) ? name : JSON.stringify(name)}${needed ? '' : '?'}: ${type(field, !needed)};`;
  });
  return `{\n${lines.join('\n')}\n}`;
}

function define(name, schema) {
  if (defs.has(name)) return;
  const comment = schema.description ? `/** ${schema.description.replaceAll('\n', ' ')} */\n` : '';
  const body = type(schema);
  defs.set(name, /^\{[^}]*\}$/.test(body) ? `${comment}export interface ${name} ${body}` : `${comment}export type ${name} = ${body};`);
}

const calls = read('call.json');
for (const [name, schema] of Object.entries(calls.$defs)) define(name, schema);
const kinds = [];
for (const call of calls.oneOf) {
  const kind = call.properties.call.const;
  const title = `${kind[0].toUpperCase()}${kind.slice(1).replaceAll(/-(\w)/g, (_, c) => c.toUpperCase())}Request`;
  const body = object(call, ['call']);
  defs.set(title, `/** ${call.description} */\nexport ${body.startsWith('{') ? 'interface' : 'type'} ${title} ${body.startsWith('{') ? body : `= ${body};`}`);
  kinds.push([kind, title]);
}
const events = new Map();
for (const file of readdirSync(schemas).filter((name) => name.endsWith('.json') && name !== 'call.json').sort()) {
  const schema = read(file);
  for (const [name, each] of Object.entries(schema.$defs ?? {})) define(name, each);
  define(schema.title, schema);
  events.set(file.replace('.json', ''), schema.title);
}
let text = '// Written by `npm run messages` from docs/schema/*.json; do not edit.\n\n';
text += [...defs.values()].join('\n\n');
text += `\n\n/** Every call: what is asked, and what is answered. */\nexport interface Calls {\n`;
text += kinds.map(([kind, title]) => `  ${JSON.stringify(kind)}: { request: ${title}; event: ${events.get(kind) ?? 'unknown'} };`).join('\n');
text += '\n}\n\nexport type CallName = keyof Calls;\n';

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== text) {
    console.error('src/engine/messages.ts is older than docs/schema: run `npm run messages`');
    process.exit(1);
  }
} else writeFileSync(target, text);
