// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import java.nio.file.Path;

/** What a look at the services file shows. Two are equal when nothing has changed in between. */
sealed interface Look {

    /** Text, whatever it says. */
    record Text(String content) implements Look {}

    /** No text, and why. */
    record NoText(String problem) implements Look {}

    static Look at(Path file) {
        try {
            return new Text(ServicesFileParser.text(file));
        } catch (InvalidServicesFileException unreadable) {
            return new NoText(String.valueOf(unreadable.getMessage()));
        }
    }
}
