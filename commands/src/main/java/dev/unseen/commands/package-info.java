/**
 * What the commands share, whatever engine runs them: how the options that describe records are
 * declared and parsed ({@link dev.unseen.commands.RecordArguments}), messages for failures of files
 * and brokers, the metrics endpoint and the colors of the console.
 *
 * <p>The layers below know no option names; here they become messages for a command line.
 */
@NullMarked
package dev.unseen.commands;

import org.jspecify.annotations.NullMarked;
