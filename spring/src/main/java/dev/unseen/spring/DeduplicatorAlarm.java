package dev.unseen.spring;

import dev.unseen.Alarm;

/**
 * Published to the application's listeners if a deduplicator makes more errors than it should.
 *
 * <pre>{@code
 * @EventListener
 * void on(DeduplicatorAlarm alarm) { ... }
 * }</pre>
 *
 * @param name the name of the deduplicator
 * @param alarm the problem that has started
 */
public record DeduplicatorAlarm(String name, Alarm alarm) {}
