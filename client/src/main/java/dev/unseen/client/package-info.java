/**
 * Remembers keys for callers that do the work of each key once: {@link
 * dev.unseen.client.ReservationStore} in this process, or {@link
 * dev.unseen.client.ServerReservations} in a server that several processes share.
 */
@NullMarked
package dev.unseen.client;

import org.jspecify.annotations.NullMarked;
