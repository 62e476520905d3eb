package dev.unseen.server.store;

import dev.unseen.hash.Secret;

/**
 * A secret that another one has replaced. Filters contain the secret that their items are hashed
 * with; the list of deleted keys of SET does not.
 *
 * @param secret the secret
 * @param listedUntil the time at which the last key expires that is listed by its hash with this
 *     secret, in milliseconds since 1970; 0 if there is none
 */
public record FormerSecret(Secret secret, long listedUntil) {}
