/** The filters of all kinds, and filters in shards. */
package dev.unseen.filter.engine;
