// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.sockets;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

/** Reads a table of sockets in pieces, whatever its size, without making an object for each row. For one thread. */
final class TcpTableReader {

    private final byte[] buffer = new byte[1 << 16];

    private final TcpTableRow row = new TcpTableRow();

    private int rows;

    private int malformed;

    /**
     * Reads the table from its beginning.
     *
     * @param maxRows how many rows at most
     * @param reader gets each row; the same object each time
     * @throws IOException when it cannot be read
     */
    void read(Path table, int maxRows, Consumer<TcpTableRow> reader) throws IOException {
        rows = -1;
        malformed = 0;
        try (InputStream stream = Files.newInputStream(table)) {
            int filled = 0;
            for (int more = 0; more >= 0
                    && rows < maxRows; more = stream.read(buffer, filled, buffer.length - filled)) {
                filled += more;
                int taken = lines(filled, maxRows, reader);
                if (taken == 0 && filled == buffer.length) {
                    // No row is that long.
                    malformed++;
                    taken = filled;
                }
                System.arraycopy(buffer, taken, buffer, 0, filled - taken);
                filled -= taken;
            }
        }
    }

    /** Returns the number of rows of the last reading, malformed ones included. */
    int rows() {
        return Math.max(0, rows);
    }

    /** Returns the number of malformed rows. */
    int malformed() {
        return malformed;
    }

    /** Parses all whole lines, and returns where the rest begins. */
    private int lines(int filled, int maxRows, Consumer<TcpTableRow> reader) {
        int begin = 0;
        for (int end = 0; end < filled && rows < maxRows; end++) {
            if (buffer[end] == '\n') {
                // The first line is the header.
                if (rows >= 0) {
                    if (row.parse(buffer, begin, end)) {
                        reader.accept(row);
                    } else {
                        malformed++;
                    }
                }
                rows++;
                begin = end + 1;
            }
        }
        return begin;
    }
}
