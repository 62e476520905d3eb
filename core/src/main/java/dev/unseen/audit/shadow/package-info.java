/** An exact shadow of some keys, and the estimates that follow from it. */
package dev.unseen.audit.shadow;
