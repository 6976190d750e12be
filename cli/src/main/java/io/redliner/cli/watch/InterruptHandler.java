// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.watch;

import io.redliner.cli.client.ControllerClient;
import io.redliner.cli.client.RequestRejectedException;
import java.io.IOException;
import java.util.function.Consumer;

/** Carries out the answer to Ctrl-C on a run or a series. */
final class InterruptHandler {

    /** The exit code that a shell reports for a command that was ended by Ctrl-C. */
    static final int DETACHED = 130;

    private final ControllerClient controller;

    private final InterruptPrompt prompt;

    private final Consumer<String> say;

    InterruptHandler(ControllerClient controller, InterruptPrompt prompt, Consumer<String> say) {
        this.controller = controller;
        this.prompt = prompt;
        this.say = say;
    }

    /**
     * Carries out the user's present wish.
     *
     * @return whether this command is to end
     */
    boolean detaches(String path) throws InterruptedException {
        return switch (prompt.look()) {
            case NONE -> false;
            case ABORT -> {
                abort(path);
                yield false;
            }
            case DETACH -> {
                String id = path.substring(path.lastIndexOf('/') + 1);
                say.accept(prompt.whyDetached() + " It goes on. Back to it: redliner watch " + id
                        + "   End it: redliner abort " + id + " --reason TEXT");
                yield true;
            }
        };
    }

    private void abort(String path) throws InterruptedException {
        say.accept("Aborting; waiting until traffic is restored");
        try {
            controller.abort(path + ":abort", controller.object()
                    .put("reason", "aborted with Ctrl-C at the terminal by " + System.getProperty("user.name", "?")),
                    say);
        } catch (RequestRejectedException rejected) {
            say.accept("Not aborted: " + rejected.getMessage());
        } catch (IOException failure) {
            say.accept("It is not known whether the abort arrived: " + failure.getMessage());
        }
    }
}
