# A small image with the command: docker build -t paraproof . && docker run --rm -v "$PWD:/work" paraproof verify model.m -o out
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN scripts/release-build && strip target/release/paraproof

FROM debian:bookworm-slim
COPY --from=build /source/target/release/paraproof /usr/local/bin/paraproof
WORKDIR /work
ENTRYPOINT ["paraproof"]
