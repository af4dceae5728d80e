/** What is used of the SDK of the Agent Client Protocol; a bundle of its own, which other commands never load. */
export { client, methods, ndJsonStream, PROTOCOL_VERSION } from '@agentclientprotocol/sdk'
