/**
 * Lets each message of a Camel route through once: {@link
 * dev.unseen.camel.UnseenIdempotentRepository}.
 */
@NullMarked
package dev.unseen.camel;

import org.jspecify.annotations.NullMarked;
