/** Shows the parameters of filters as options of the command and as code. */
package dev.unseen.cli.option;
