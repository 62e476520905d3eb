/** The filters by name, and the keys of SET NX. Knows neither the protocol nor the options. */
package dev.unseen.server.store;
