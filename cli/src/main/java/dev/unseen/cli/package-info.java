/**
 * The {@code unseen} command. Start with {@link dev.unseen.cli.Main}.
 *
 * <p>A run reads, cuts, decides and writes, a batch of records at a time: {@code Pipeline} gives
 * each step to a thread, {@code DedupCommand} decides, {@code Outputs} writes, and {@code
 * Checkpoints} saves. The <a
 * href="https://github.com/unseen-dev/unseen/blob/main/docs/shell.md">manual</a> tells what it
 * does.
 */
package dev.unseen.cli;
