/** The filters of all kinds, and filters in shards. */
@NullMarked
package dev.unseen.filter.engine;

import org.jspecify.annotations.NullMarked;
