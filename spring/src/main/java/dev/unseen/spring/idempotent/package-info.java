/**
 * Methods and requests that run once for each key: {@link dev.unseen.spring.idempotent.Idempotent},
 * and a filter of requests that needs no annotation.
 *
 * <p>The keys are those of an approximate filter. A new key is mistaken for a processed one at most
 * as often as {@code unseen.max-false-positive-rate} says, and is then rejected. The response of
 * the first call is repeated if a {@link dev.unseen.spring.idempotent.ResponseStore} keeps it.
 *
 * <p>The <a href="https://github.com/unseen-dev/unseen/blob/main/docs/spring.md">manual</a> has
 * examples, and what happens to calls that fail or overlap.
 */
package dev.unseen.spring.idempotent;
