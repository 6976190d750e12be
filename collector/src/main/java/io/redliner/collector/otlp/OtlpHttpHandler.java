// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.otlp;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.util.JsonFormat;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceResponse;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Serves OTLP over HTTP: protobuf, as Micrometer sends it, or JSON, as Node.js does; plain or with gzip. */
final class OtlpHttpHandler implements HandlerFunction<ServerResponse> {

    static final String PATH = "/v1/metrics";

    private static final MediaType PROTOBUF = MediaType.valueOf("application/x-protobuf");

    private final OtlpProperties properties;

    private final OtlpReceiver receiver;

    OtlpHttpHandler(OtlpProperties properties, OtlpReceiver receiver) {
        this.properties = properties;
        this.receiver = receiver;
    }

    @Override
    public ServerResponse handle(ServerRequest request) throws Exception {
        Optional<InetAddress> from = request.remoteAddress().map(InetSocketAddress::getAddress);
        String encoding = request.headers().asHttpHeaders().getFirst("Content-Encoding");
        Optional<MediaType> type = request.headers().contentType();
        boolean json = type.filter(MediaType.APPLICATION_JSON::isCompatibleWith).isPresent();
        if (!json && type.filter(PROTOBUF::isCompatibleWith).isEmpty()) {
            return refuse(from, HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "OTLP over HTTP has to be application/x-protobuf or application/json; this is "
                            + type.map(MediaType::toString).orElse("without a Content-Type"));
        }
        if (encoding != null && !encoding.toLowerCase(Locale.ROOT).matches("gzip|identity")) {
            return refuse(from, HttpStatus.UNSUPPORTED_MEDIA_TYPE,
                    "OTLP over HTTP may be packed with gzip; this is packed with " + encoding);
        }
        byte[] bytes;
        try (InputStream packed = request.body(InputStreamResource.class).getInputStream();
                InputStream body = "gzip".equalsIgnoreCase(encoding) ? new GZIPInputStream(packed) : packed) {
            bytes = body.readNBytes(properties.maxMessageBytes() + 1);
        } catch (ZipException | EOFException e) {
            return refuse(from, HttpStatus.BAD_REQUEST, "a message is said to be gzip, and is not, or not all of it");
        }
        if (bytes.length > properties.maxMessageBytes()) {
            return refuse(from, HttpStatus.CONTENT_TOO_LARGE, "a message is larger than " + properties.maxMessage()
                    + ", see redliner.collector.otlp.max-message");
        }
        try {
            if (json ? JsonMessages.tooMany(bytes) : ProtobufObjectLimit.tooMany(bytes)) {
                return refuse(from, HttpStatus.CONTENT_TOO_LARGE, LimitedMarshaller.TOO_MANY);
            }
            return json
                    ? ServerResponse.ok().contentType(MediaType.APPLICATION_JSON)
                            .body(JsonMessages.write(receiver.take(JsonMessages.read(bytes), from)))
                    : ServerResponse.ok().contentType(PROTOBUF)
                            .body(receiver.take(ExportMetricsServiceRequest.parseFrom(bytes), from).toByteArray());
        } catch (IOException e) {
            return refuse(from, HttpStatus.BAD_REQUEST, "a message is no OTLP" + (json ? ": " + e.getMessage() : ""));
        }
    }

    private ServerResponse refuse(Optional<InetAddress> from, HttpStatus status, String reason) {
        receiver.broken(from, reason);
        return ServerResponse.status(status).contentType(MediaType.TEXT_PLAIN).body(reason);
    }

    /**
     * Reads and writes OTLP as JSON: protobuf's own mapping, but for the ids of traces in exemplars, which are hexadecimal
     * there and are not read here. See <a href="https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding">its
     * specification</a>.
     */
    static final class JsonMessages {

        /**
         * A point with its attributes has some four of these for each of its objects, see {@link ProtobufObjectLimit#MAX_OBJECTS}.
         */
        private static final int MAX_STRUCTURAL_CHARACTERS = 4 * ProtobufObjectLimit.MAX_OBJECTS;

        private JsonMessages() {}

        /**
         * Returns whether a text has so many braces, brackets and commas that it would become too many objects. Those in strings
         * count as well.
         */
        static boolean tooMany(byte[] text) {
            int signs = 0;
            for (byte letter : text) {
                if (letter == '{' || letter == '[' || letter == ',') {
                    signs++;
                }
            }
            return signs > MAX_STRUCTURAL_CHARACTERS;
        }

        /**
         * Parses a message; unknown fields are skipped.
         *
         * @throws InvalidProtocolBufferException when the text is no JSON, or no OTLP
         */
        static ExportMetricsServiceRequest read(byte[] text) throws InvalidProtocolBufferException {
            ExportMetricsServiceRequest.Builder message = ExportMetricsServiceRequest.newBuilder();
            JsonFormat.parser().ignoringUnknownFields().merge(new String(text, StandardCharsets.UTF_8), message);
            return message.build();
        }

        /** Writes the answer without blanks. */
        static byte[] write(ExportMetricsServiceResponse answer) throws InvalidProtocolBufferException {
            return JsonFormat.printer().omittingInsignificantWhitespace().print(answer)
                    .getBytes(StandardCharsets.UTF_8);
        }
    }
}
