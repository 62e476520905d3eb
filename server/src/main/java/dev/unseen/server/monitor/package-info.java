/** The live page and the metrics. */
package dev.unseen.server.monitor;
