// SPDX-License-Identifier: Apache-2.0
package io.redliner.redirector.config;

import java.nio.file.Path;

/** The services file as it was read once. Two readings are equal when nothing has changed between them. */
sealed interface Look {

    /** The text of the file, which is not parsed yet. */
    record Text(String content) implements Look {}

    /** The file could not be read. */
    record NoText(String problem) implements Look {}

    static Look at(Path file) {
        try {
            return new Text(ServicesFileParser.text(file));
        } catch (InvalidServicesFileException unreadable) {
            return new NoText(String.valueOf(unreadable.getMessage()));
        }
    }
}
