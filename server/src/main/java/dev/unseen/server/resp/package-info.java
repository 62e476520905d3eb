/** Redis's protocol: requests out of bytes, replies into bytes. Nothing here knows a command. */
package dev.unseen.server.resp;
