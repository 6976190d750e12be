// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** The standard output in UTF-8, whatever the locale. It remembers why something could not be written, which {@link System#out} forgets. */
final class StandardOutput extends PrintWriter {

    private final Remembering arrives;

    private StandardOutput(Remembering arrives) {
        super(arrives, true);
        this.arrives = arrives;
    }

    static StandardOutput writer() {
        return new StandardOutput(new Remembering(
                new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), StandardCharsets.UTF_8)));
    }

    /** Why the first piece that did not arrive did not; empty while all arrives. */
    String problem() {
        return arrives.problem;
    }

    /** Passes on what is written, and the first failure. */
    private static final class Remembering extends Writer {

        private final Writer out;

        private volatile String problem = "";

        Remembering(Writer out) {
            this.out = out;
        }

        private interface Step {
            void run() throws IOException;
        }

        private void attempt(Step step) throws IOException {
            try {
                step.run();
            } catch (IOException failure) {
                if (problem.isEmpty()) {
                    problem = String.valueOf(failure.getMessage());
                }
                throw failure;
            }
        }

        @Override
        public void write(char[] text, int from, int length) throws IOException {
            attempt(() -> out.write(text, from, length));
        }

        @Override
        public void flush() throws IOException {
            attempt(out::flush);
        }

        @Override
        public void close() throws IOException {
            attempt(out::close);
        }
    }
}
