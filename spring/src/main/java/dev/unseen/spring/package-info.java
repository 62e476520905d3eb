/**
 * Deduplicators as beans of a Spring Boot application, with a state that survives restarts.
 *
 * <p>The properties are those of {@link dev.unseen.spring.UnseenProperties}. {@link
 * dev.unseen.spring.DeduplicatorFactory} creates deduplicators for records of your own type, and
 * {@link dev.unseen.spring.idempotent.Idempotent} runs a method once for each key.
 *
 * <p>The <a href="https://github.com/unseen-dev/unseen/blob/main/docs/spring.md">manual</a> has a
 * complete application.
 */
package dev.unseen.spring;
