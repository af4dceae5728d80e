/** The part of the Agent Client Protocol SDK that is used; a separate bundle, which other commands never load. */
export { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
