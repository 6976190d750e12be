// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.tape;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Begins the tapes of one analyzer.
 *
 * @param folder that the tapes are in; empty to record nothing
 * @param mostBytes that a tape may have
 * @param failure is told, at most once by each tape, that it could not be written
 */
public record Tapes(Optional<Path> folder, long mostBytes, Consumer<IOException> failure) {

    /** That record nothing. */
    public static Tapes off() {
        return new Tapes(Optional.empty(), 0, unused -> {});
    }

    /** For one analysis; where there is one of that name already, its name has a number. */
    public Tape begin(String name) {
        return folder.map(it -> Tape.begin(it, name, mostBytes, failure)).orElseGet(Tape::none);
    }
}
