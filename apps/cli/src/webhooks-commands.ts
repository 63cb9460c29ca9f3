import { notificationFields, notificationWrappers } from '@sluice/contracts';
import { Argument, Command, Option } from 'commander';
import { type Perform, withExample } from './command-parts.js';
import type { ListenFlags } from './listen.js';
import type { ExecuteFlag } from './risk-session.js';
import type { MerchantFlags } from './merchant.js';
import { type TriggeredEvent, triggeredEventNames } from './triggered-events.js';
import type { AddFlags, RotateFlags } from './webhooks-changes.js';
import type { ChangeFlags } from './webhooks-mails.js';
import type { ResendFlags, ShowWebhookFlags } from './webhooks-views.js';

const EXECUTE = 'do it; without this it only says what would be done';
const ID = "the subscription's id, or how it begins";
const SECRET_FILE = 'a file with the secret, 64 hexadecimal digits; without it there is a new one';
const EMAIL = 'who is mailed when its receiver keeps failing, and daily what failed';
const EXAMPLE_NODE = '8a8294174b7ecb28014b9699220015ca';
const EXAMPLE_ID = '5eed5eed0d3f2c4b8a1e9f7c6b5a4d3e';
const EXAMPLE_NOTIFICATION = '019aca3e-6b7c-7d8e-9f00-112233445566';

/** `sluice webhooks`: who is told of what, and what became of it. */
export function webhooksCommand(perform: Perform): Command {
  return new Command('webhooks')
    .description('who is told of what happens to payments, and what came of telling them')
    .addCommand(addCommand(perform))
    .addCommand(listCommand(perform))
    .addCommand(showCommand(perform))
    .addCommand(callsCommand(perform))
    .addCommand(testCommand(perform))
    .addCommand(healthCommand(perform))
    .addCommand(resendCommand(perform))
    .addCommand(changeCommand(perform))
    .addCommand(rotateCommand(perform))
    .addCommand(simpleChange(perform, 'pause', 'tell nothing for now; what there is to tell waits'))
    .addCommand(simpleChange(perform, 'resume', 'end a pause: what has waited is told'))
    .addCommand(simpleChange(perform, 'remove', 'end a subscription, with what waits for it'));
}

/** `sluice listen`: notifications on this machine, for whoever develops a receiver. */
export function listenCommand(perform: Perform): Command {
  const listen = new Command('listen')
    .description(
      'show notifications of a sandbox or local cluster as they come, one line each, until Ctrl-C; and send them on to a program',
    )
    .option('--forward <url>', 'where they are sent on to; what is answered there counts')
    .option('--node <id>', 'of this node and below; of all without it')
    .option('--types <types>', 'of what, with commas between; of all that there is without it')
    .addOption(
      new Option('--wrapper <wrapper>', 'how they are sent on: encrypted as it is, or within JSON')
        .choices(notificationWrappers)
        .default('none'),
    )
    .option('--secret-file <file>', SECRET_FILE)
    .action((flags: ListenFlags) =>
      perform(listen, async (session) => (await import('./listen.js')).listen(session, flags)),
    );
  return withExample(listen, 'sluice listen --forward http://localhost:3000/hook');
}

/** `sluice trigger`: has something happen of which receivers are told. */
export function triggerCommand(perform: Perform): Command {
  const trigger = new Command('trigger')
    .description(
      'have something happen in a sandbox or cluster on this machine, as a merchant does: what there is to hear of it is heard',
    )
    .addArgument(new Argument('<events...>', 'what, in this order').choices(triggeredEventNames))
    .option('--entity <id>', 'the channel that pays; the demo channel without it')
    .option('--token-file <file>', "a file with its access token; the demo channel's without it")
    .action((names: readonly TriggeredEvent[], flags: MerchantFlags) =>
      perform(trigger, async (session) =>
        (await import('./trigger.js')).triggerEvents(session, names, flags),
      ),
    );
  return withExample(trigger, 'sluice trigger payment.declined payment.chargeback');
}

function addCommand(perform: Perform): Command {
  const add = new Command('add')
    .description(
      'tell a receiver of what happens at a node and below; it is called once, and active once it has answered 2xx',
    )
    .requiredOption('--node <id>', 'the entity id of a channel, merchant, division or PSP')
    .requiredOption('--url <url>', 'the address that is called')
    .option('--types <types>', 'of what, with commas between; of all that there is without it')
    .addOption(
      new Option('--fields <fields>', 'all of it, or nothing of customers')
        .choices(notificationFields)
        .default('ALL'),
    )
    .addOption(
      new Option('--wrapper <wrapper>', 'the encrypted text as it is, or within JSON')
        .choices(notificationWrappers)
        .default('none'),
    )
    .option('--secret-file <file>', SECRET_FILE)
    .option('--email <address>', EMAIL)
    .option('--execute', EXECUTE)
    .action((flags: AddFlags) =>
      perform(add, async (session) =>
        (await import('./webhooks-changes.js')).addWebhook(session, flags),
      ),
    );
  return withExample(
    add,
    `sluice webhooks add --node ${EXAMPLE_NODE} --url https://shop.example/hook --execute`,
  );
}

function listCommand(perform: Perform): Command {
  const list = new Command('list')
    .description('every subscription, and how it stands')
    .action(() =>
      perform(list, async (session) => (await import('./webhooks-views.js')).listWebhooks(session)),
    );
  return withExample(list, 'sluice webhooks list');
}

function showCommand(perform: Perform): Command {
  const show = new Command('show')
    .description(
      'the latest notifications of a subscription, or every attempt of one notification; both are kept for 30 days',
    )
    .argument('<id>', 'of a subscription, or of a notification')
    .option('--transaction <id>', 'of this transaction alone')
    .option('--standing <standing>', 'waiting, acknowledged, overdue or discarded ones alone')
    .action((id: string, flags: ShowWebhookFlags) =>
      perform(show, async (session) =>
        (await import('./webhooks-views.js')).showWebhook(session, id, flags),
      ),
    );
  return withExample(
    show,
    `sluice webhooks show ${EXAMPLE_ID} --standing waiting`,
    `sluice webhooks show ${EXAMPLE_NOTIFICATION}`,
  );
}

function callsCommand(perform: Perform): Command {
  const calls = new Command('calls')
    .description(
      'the latest calls of addresses that stood in requests (notificationUrl), for which nobody has to subscribe; "show" and "resend" take their ids',
    )
    .option('--transaction <id>', 'of this payment or registration alone')
    .option('--standing <standing>', 'waiting, acknowledged, overdue or discarded ones alone')
    .action((flags: ShowWebhookFlags) =>
      perform(calls, async (session) =>
        (await import('./webhooks-views.js')).showCalls(session, flags),
      ),
    );
  return withExample(calls, 'sluice webhooks calls --standing waiting');
}

function testCommand(perform: Perform): Command {
  const test = new Command('test')
    .description('call a receiver once; one that answers 2xx is active from then on')
    .argument('<id>', ID)
    .action((id: string) =>
      perform(test, async (session) =>
        (await import('./webhooks-changes.js')).testWebhook(session, id),
      ),
    );
  return withExample(test, `sluice webhooks test ${EXAMPLE_ID}`);
}

function healthCommand(perform: Perform): Command {
  const health = new Command('health')
    .description(
      'how receivers have done within a day; exit code 3 when one is not active, or something waits',
    )
    .action(() =>
      perform(health, async (session) =>
        (await import('./webhooks-views.js')).webhooksHealth(session),
      ),
    );
  return withExample(health, 'sluice webhooks health');
}

function resendCommand(perform: Perform): Command {
  const resend = new Command('resend')
    .description('send notifications once more, whatever became of them; their ids stay the same')
    .argument('[ids...]', 'of notifications, as "webhooks show" has them')
    .option('--failed <subscription>', 'all that were given up, of this subscription')
    .option('--execute', EXECUTE)
    .action((ids: readonly string[], flags: ResendFlags) =>
      perform(resend, async (session) =>
        (await import('./webhooks-views.js')).resendWebhooks(session, ids, flags),
      ),
    );
  return withExample(
    resend,
    `sluice webhooks resend ${EXAMPLE_NOTIFICATION} --execute`,
    `sluice webhooks resend --failed ${EXAMPLE_ID} --execute`,
  );
}

function changeCommand(perform: Perform): Command {
  const change = new Command('change')
    .description('say who is mailed about a subscription whose receiver fails')
    .argument('<id>', ID)
    .option('--email <address>', EMAIL)
    .option('--no-email', 'nobody is mailed')
    .option('--execute', EXECUTE)
    .action((id: string, flags: ChangeFlags) =>
      perform(change, async (session) =>
        (await import('./webhooks-mails.js')).changeWebhook(session, id, flags),
      ),
    );
  return withExample(
    change,
    `sluice webhooks change ${EXAMPLE_ID} --email ops@shop.example --execute`,
  );
}

function rotateCommand(perform: Perform): Command {
  const rotate = new Command('rotate')
    .description('give a subscription another secret; both are tried for a day')
    .argument('<id>', ID)
    .option('--secret-file <file>', SECRET_FILE)
    .option('--at-once', 'the one before ends now, because somebody else may know it')
    .option('--execute', EXECUTE)
    .action((id: string, flags: RotateFlags) =>
      perform(rotate, async (session) =>
        (await import('./webhooks-changes.js')).rotateWebhook(session, id, flags),
      ),
    );
  return withExample(rotate, `sluice webhooks rotate ${EXAMPLE_ID} --execute`);
}

function simpleChange(
  perform: Perform,
  name: 'pause' | 'resume' | 'remove',
  description: string,
): Command {
  const command = new Command(name)
    .description(description)
    .argument('<id>', ID)
    .option('--execute', EXECUTE)
    .action((id: string, flags: ExecuteFlag) =>
      perform(command, async (session) => {
        const changes = await import('./webhooks-changes.js');
        const { pauseWebhook: pause, resumeWebhook: resume, removeWebhook: remove } = changes;
        return { pause, resume, remove }[name](session, id, flags);
      }),
    );
  return withExample(command, `sluice webhooks ${name} ${EXAMPLE_ID} --execute`);
}
