/** Shows a deduplicator to Micrometer. */
package dev.unseen.micrometer;
