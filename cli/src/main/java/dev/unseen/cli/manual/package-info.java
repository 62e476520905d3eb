/** Manual pages and the completion for bash, made from what the commands declare. */
package dev.unseen.cli.manual;
