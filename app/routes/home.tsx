export default function Home() {
  return <h1>Engawa</h1>;
}
