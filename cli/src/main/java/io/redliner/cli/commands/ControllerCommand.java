// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import io.redliner.cli.client.ControllerClient;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A verb that asks a controller. */
abstract class ControllerCommand implements Callable<Integer> {

    @Mixin
    final ClientOptions options = new ClientOptions();

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    CommandSpec spec;

    @Override
    public final Integer call() throws IOException, InterruptedException {
        try (ControllerClient controller = options.connect()) {
            return call(controller);
        }
    }

    /** Does what the verb says. Returns the exit code. */
    abstract int call(ControllerClient controller) throws IOException, InterruptedException;

    /** Returns the exception of arguments that cannot be obeyed. The message says what to write. */
    final ParameterException mistake(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
