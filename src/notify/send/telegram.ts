import { channelKind, jsonPost, wholeText } from './kind.js'

/** Of a message, by Telegram's reference. */
const mostText = 4096

/** A bot of Telegram. Without a parse mode a text is no markup. https://core.telegram.org/bots/api#sendmessage */
export const telegram = channelKind({
  kind: 'telegram',
  label: 'Telegram',
  help: 'Make a bot with @BotFather and copy its token; write to the bot once, or add it to a group.',
  fields: {
    chat: {
      type: 'text',
      label: 'Chat',
      pattern: '^(-?\\d{1,20}|@\\w{3,100})$',
      help: 'number of the chat, such as 12345 or -1001234, or @channel',
    },
    token: {
      type: 'text',
      label: 'Token of the bot',
      secret: true,
      pattern: '^\\d{1,20}:[\\w-]{10,200}$',
      help: '123456:ABC-...',
    },
    topic: { type: 'number', label: 'Topic in a forum', optional: true, least: 1, most: 2 ** 31 },
    server: {
      type: 'address',
      label: 'Server of the Bot API',
      optional: true,
      help: 'https://api.telegram.org by default',
    },
  },
  schemes: ['tgram'],
  example: 'tgram://BOT-TOKEN/CHAT-ID',
  fromAddress: ({ host, path: [chat], query: { topic } }) =>
    chat === undefined
      ? null
      : { token: host, chat, ...(topic === undefined ? {} : { topic: Number(topic) }) },
  leadsTo: ({ chat }) => chat,
  request: ({ chat, token, topic, server = 'https://api.telegram.org' }, message) =>
    jsonPost(`${server.replace(/\/$/, '')}/bot${token}/sendMessage`, {
      chat_id: chat,
      text: wholeText(message, mostText),
      link_preview_options: { is_disabled: true },
      ...(topic === undefined ? {} : { message_thread_id: topic }),
    }),
})
