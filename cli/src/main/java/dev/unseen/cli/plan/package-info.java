/** {@code unseen plan}: which filter to take, and how often it will be wrong. */
package dev.unseen.cli.plan;
