// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * The standard output in UTF-8, whatever the locale. It keeps the reason why something could not be written, which {@link
 * System#out} does not.
 */
final class StandardOutput extends PrintWriter {

    private final Remembering file;

    private StandardOutput(Remembering file) {
        super(new OutputStreamWriter(file, StandardCharsets.UTF_8), true);
        this.file = file;
    }

    static StandardOutput writer() {
        return new StandardOutput(new Remembering());
    }

    /** Returns the reason of the first write that failed; empty while all succeed. */
    String problem() {
        return file.problem;
    }

    /** Keeps the first failure. A writer calls no other method of a stream to write. */
    private static final class Remembering extends FileOutputStream {

        private volatile String problem = "";

        Remembering() {
            super(FileDescriptor.out);
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                super.write(bytes, from, length);
            } catch (IOException failure) {
                problem = problem.isEmpty() ? String.valueOf(failure.getMessage()) : problem;
                throw failure;
            }
        }
    }
}
